#include "gateway/setup/presets.h"

#include <array>

namespace approval::gateway::setup {
namespace {

constexpr std::array<MailPreset, 6> kPresets = {{
    {"Gmail", "smtp.gmail.com", "587", "starttls",
     "Needs an app password (Google account, Security, 2-Step Verification, App passwords); the\n"
     "account's own password is refused."},
    {"Fastmail", "smtp.fastmail.com", "465", "implicit",
     "Needs an app password (Settings, Privacy & Security, App passwords) that may send mail."},
    {"Outlook / Microsoft 365", "smtp.office365.com", "587", "starttls",
     "Microsoft refuses passwords for most accounts: set smtp.auth to xoauth2 with an access\n"
     "token, or let an administrator allow authenticated SMTP."},
    {"iCloud Mail", "smtp.mail.me.com", "587", "starttls",
     "Needs an app-specific password (account.apple.com, Sign-In and Security)."},
    {"Proton Mail Bridge", "127.0.0.1", "1025", "starttls",
     "Bridge runs on this machine and shows its own user name and password. Its certificate is\n"
     "its own: export it in Bridge and name the file as smtp.ca_file."},
    {"another server", "", "587", "starttls", ""},
}};

}  // namespace

std::span<const MailPreset> MailPresets() { return kPresets; }

}  // namespace approval::gateway::setup

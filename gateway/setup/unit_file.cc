#include "gateway/setup/unit_file.h"

#include <algorithm>

#include "core/base/files.h"
#include "render/quote.h"
#include "vault/secrets/source_map.h"

namespace approval::gateway::setup {
namespace {

// The shell line both platforms run.
std::string ShellLine(const ServiceDefinition& service) {
  const std::string program = secrets::ShellQuote(service.program);
  const std::string environment =
      service.env_file.empty() ? "eval \"$(" + program + " env)\""
                               : "set -a; . " + secrets::ShellQuote(service.env_file) + "; set +a";
  return "cd " + secrets::ShellQuote(service.folder) + " && " + environment + " && exec " +
         program + " up --json --no-login-link";
}

// `%` begins a specifier in every value of a unit.
std::string Percent(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out;
}

// A word of ExecStart in double quotes: `$` would be expanded by systemd itself.
std::string ExecWord(const std::string& text) {
  std::string out = "\"";
  for (const char c : Percent(text)) {
    if (c == '$') {
      out += "$$";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

std::string PlistString(const std::string& text) {
  return "<string>" + render::EscapeHtml(text) + "</string>\n";
}

}  // namespace

std::string SystemdUnit(const ServiceDefinition& service) {
  const std::string logs = Percent(service.logs);
  std::string unit =
      "[Unit]\n"
      "Description=approval: asks a person before agents act\n"
      "After=default.target\n"
      "\n"
      "[Service]\n"
      "Type=simple\n"
      "WorkingDirectory=" +
      Percent(service.folder) + "\n";
  if (!service.env_file.empty()) unit += "EnvironmentFile=" + Percent(service.env_file) + "\n";
  unit += "ExecStart=/bin/sh -lc " + ExecWord(ShellLine(service)) +
          "\n"
          "Restart=always\n"
          "RestartSec=5\n"
          "StandardOutput=append:" +
          logs + "/approval-up.out.log\nStandardError=append:" + logs +
          "/approval-up.err.log\n"
          "# It needs the network, the project's folder and nothing more.\n"
          "NoNewPrivileges=yes\n"
          "UMask=0077\n"
          "LimitCORE=0\n"
          "LockPersonality=yes\n"
          "RestrictNamespaces=yes\n"
          "RestrictRealtime=yes\n"
          "RestrictSUIDSGID=yes\n"
          "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK\n"
          "SystemCallArchitectures=native\n"
          "\n"
          "[Install]\n"
          "WantedBy=default.target\n";
  return unit;
}

std::string LaunchdPlist(const ServiceDefinition& service) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
         "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
         "<plist version=\"1.0\">\n<dict>\n"
         "  <key>Label</key>" +
         PlistString(service.label) +
         "  <key>ProgramArguments</key>\n  <array>\n"
         "    <string>/bin/sh</string>\n    <string>-lc</string>\n    " +
         PlistString(ShellLine(service)) + "  </array>\n  <key>WorkingDirectory</key>" +
         PlistString(service.folder) +
         "  <key>RunAtLoad</key><true/>\n  <key>KeepAlive</key><true/>\n"
         "  <key>StandardOutPath</key>" +
         PlistString(service.logs + "/approval-up.out.log") + "  <key>StandardErrorPath</key>" +
         PlistString(service.logs + "/approval-up.err.log") + "</dict>\n</plist>\n";
}

std::optional<std::string> WhyNotPath(const std::string& path) {
  if (path.empty() || path.front() != '/') return "a path here is absolute";
  if (path.find('\'') != std::string::npos || path.find('\n') != std::string::npos) {
    return "a path here holds no quote and no line end";
  }
  return std::nullopt;
}

bool IsLabel(const std::string& label) {
  return !label.empty() && label.front() != '.' && label.front() != '-' &&
         std::all_of(label.begin(), label.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '.' || c == '-' || c == '_';
         });
}

}  // namespace approval::gateway::setup

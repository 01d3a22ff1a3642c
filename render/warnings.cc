#include "render/warnings.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "render/facts.h"
#include "render/hosts.h"
#include "render/look_alike.h"
#include "render/quote.h"
#include "render/secrets.h"
#include "render/text_fields.h"
#include "render/views.h"
#include "render/warnings_mail.h"
#include "render/warnings_request.h"

namespace approval::render {
namespace {

constexpr std::size_t kNamed = 5;         // words or hosts named in one warning
constexpr std::size_t kPlaces = 12;       // warnings of one kind
constexpr std::size_t kShown = 120;       // characters of an address or host
constexpr std::size_t kMaxDomains = 200;  // compared with each other

// Findings of one kind, grouped by field in order of appearance.
class Findings {
 public:
  void Add(std::string_view name, const std::string& what) {
    const std::string field(name);
    const auto [known, fresh] = index_.emplace(field, groups_.size());
    if (fresh) groups_.push_back({field, {}, {}});
    Group& group = groups_[known->second];
    if (!group.seen.insert(what).second) return;
    if (group.named.size() < kNamed) group.named.push_back(what);
  }

  void Report(std::vector<Warning>& out, WarningKind kind, std::string_view words) const {
    for (const Group& group : groups_) {
      std::string text = std::string(words) + " in " + group.field + ": ";
      for (std::size_t i = 0; i < group.named.size(); ++i) {
        if (i != 0) text += "; ";
        text += group.named[i];
      }
      if (group.seen.size() > group.named.size()) {
        text += "; and " + std::to_string(group.seen.size() - group.named.size()) + " more";
      }
      out.push_back({kind, group.field, std::move(text)});
    }
  }

 private:
  struct Group {
    std::string field;
    std::vector<std::string> named;
    std::set<std::string> seen;
  };

  std::map<std::string, std::size_t> index_;
  std::vector<Group> groups_;
};

// Thousands of odd places are one line each up to a bound and then a count.
void Bound(std::vector<Warning>& warnings) {
  std::map<WarningKind, std::size_t> count;
  for (const Warning& warning : warnings) ++count[warning.kind];
  std::map<WarningKind, std::size_t> kept;
  std::vector<Warning> out;
  for (Warning& warning : warnings) {
    const std::size_t number = ++kept[warning.kind];
    if (number <= kPlaces) {
      out.push_back(std::move(warning));
    } else if (number == kPlaces + 1) {
      const std::size_t more = count[warning.kind] - kPlaces;
      out.push_back(
          {warning.kind, "", "the same kind of oddness in " + Plural(more, "more place")});
    }
  }
  warnings = std::move(out);
}

void AppendHosts(std::vector<Warning>& out, std::span<const TextField> fields) {
  Findings odd;
  Findings hidden;
  for (const TextField& field : fields) {
    const auto check = [&](std::string_view host) {
      if (const auto drawn = OddHost(host)) odd.Add(field.name, *drawn);
    };
    if (field.address) {
      if (const auto parts = SplitAddress(field.text)) check(parts->domain);
    }
    for (const UrlParts& url : FindUrls(field.text)) {
      check(url.host);
      if (url.has_user) hidden.Add(field.name, QuoteLine(url.host, kShown));
    }
  }
  odd.Report(out, WarningKind::kHost, "foreign letters in a host");
  hidden.Report(out, WarningKind::kHost, "the real host stands behind an @");
}

// Two domains of the recipients that differ in a letter or two: one is often a trap.
void AppendNearDomains(std::vector<Warning>& out, std::span<const TextField> fields) {
  std::map<std::string, std::vector<std::string>> by_domain;
  for (const TextField& field : fields) {
    if (!field.recipient || by_domain.size() >= kMaxDomains) continue;
    if (const auto parts = SplitAddress(field.text)) {
      by_domain[std::string(parts->domain)].push_back(std::string(field.text));
    }
  }
  for (auto a = by_domain.begin(); a != by_domain.end(); ++a) {
    for (auto b = std::next(a); b != by_domain.end(); ++b) {
      if (!NearlyEqual(a->first, b->first)) continue;
      const auto& rare = a->second.size() < b->second.size() ? *a : *b;
      out.push_back(
          {WarningKind::kAddress, "recipients",
           "two domains that look alike among the recipients: " + QuoteLine(a->first, kShown) +
               " (" + std::to_string(a->second.size()) + ") and " + QuoteLine(b->first, kShown) +
               " (" + std::to_string(b->second.size()) + "), such as " +
               QuoteLine(rare.second.front(), kShown)});
    }
  }
}

void AppendAddresses(std::vector<Warning>& out, std::span<const TextField> fields) {
  Findings foreign;
  for (const TextField& field : fields) {
    if (!field.address) continue;
    const auto parts = SplitAddress(field.text);
    // A word that mixes scripts has its own warning already.
    if (IsAscii(parts ? parts->local : field.text) || !LookAlikeWords(field.text).empty()) continue;
    foreign.Add(field.name, QuoteLine(field.text, kShown));
  }
  foreign.Report(out, WarningKind::kAddress, "foreign letters in an address");
  AppendNearDomains(out, fields);
}

void AppendText(std::vector<Warning>& out, std::span<const TextField> fields) {
  std::map<std::string, std::size_t> invisible;
  std::vector<std::string> order;
  Findings secrets;
  std::set<std::string> padded;
  for (const TextField& field : fields) {
    if (const std::size_t count = CountInvisible(field.text); count != 0) {
      std::size_t& sum = invisible[std::string(field.name)];
      if (sum == 0) order.emplace_back(field.name);
      sum += count;
    }
    if (HasPadding(field.text)) padded.emplace(field.name);
    for (const std::string& what : SecretLikeStrings(field.text)) secrets.Add(field.name, what);
  }
  for (const std::string& name : order) {
    out.push_back({WarningKind::kInvisible, name,
                   Plural(invisible[name], "character") +
                       " that cannot be seen or that change the direction in " + name});
  }
  for (const std::string& name : padded) {
    out.push_back({WarningKind::kPadding, name,
                   "long runs of blanks or blank lines, drawn as a count, in " + name});
  }
  secrets.Report(out, WarningKind::kSecret, "looks like a secret");
}

void AppendBlindCopies(std::vector<Warning>& out, std::span<const TextField> fields) {
  const auto count =
      static_cast<std::size_t>(std::count_if(fields.begin(), fields.end(), [](const TextField& f) {
        return f.address && f.name == "bcc";
      }));
  if (count == 0) return;
  const std::string copies = count == 1 ? "1 blind copy" : std::to_string(count) + " blind copies";
  out.push_back(
      {WarningKind::kBlindCopy, "bcc", copies + ", which the other recipients do not see"});
}

void Append(std::vector<Warning>& out, const std::vector<Warning>& more) {
  out.insert(out.end(), more.begin(), more.end());
}

void AppendFacts(std::vector<Warning>& out, const gate::RequestModel& request) {
  for (const policy::BudgetVerdict& verdict : request.budgets.value) {
    if (!verdict.pass) {
      out.push_back({WarningKind::kBudget, "budgets", "budget " + BudgetText(verdict)});
    }
  }
  if (request.attestation.value.status != gate::AttestationView::Status::kAttested) {
    out.push_back({WarningKind::kAttestation, "policy",
                   "policy " + AttestationText(request.attestation.value)});
  }
  if (request.autonomy.value != "manual") {
    out.push_back({WarningKind::kAutonomy, "autonomy",
                   "autonomy is " + QuoteLine(request.autonomy.value) + ", not manual"});
  }
}

}  // namespace

bool IsOfPayload(WarningKind kind) {
  switch (kind) {
    case WarningKind::kLookAlike:
    case WarningKind::kHost:
    case WarningKind::kAddress:
    case WarningKind::kInvisible:
    case WarningKind::kPadding:
    case WarningKind::kSecret:
    case WarningKind::kBlindCopy:
    case WarningKind::kAttachment:
      return true;
    case WarningKind::kBudget:
    case WarningKind::kAttestation:
    case WarningKind::kAutonomy:
      return false;
  }
  return true;
}

std::vector<Warning> BuildWarnings(const gate::RequestModel& request) {
  const base::Json& payload = request.payload.value.value;
  const Shape shape = DetectShape(payload);
  TextFieldList texts = TextFields(shape, payload);
  const std::size_t own = texts.fields.size();
  const auto claim = [&texts](std::string_view name, const std::optional<std::string>& text) {
    if (text) texts.fields.push_back({name, *text, false, false});
  };
  claim("the agent's summary", request.summary.value);
  claim("the agent's rationale", request.rationale.value);
  const std::span<const TextField> all(texts.fields);
  const std::span<const TextField> of_payload = all.first(own);

  std::vector<Warning> out;
  Findings words;
  for (const TextField& field : all) {
    for (const std::string& word : LookAlikeWords(field.text)) words.Add(field.name, word);
  }
  words.Report(out, WarningKind::kLookAlike, "look-alike letters");
  AppendHosts(out, all);
  if (shape == Shape::kHttp) Append(out, RequestWarnings(payload.get_object()));
  AppendAddresses(out, of_payload);
  if (shape == Shape::kEmail) Append(out, AddressWarnings(payload.get_object()));
  AppendText(out, all);
  AppendBlindCopies(out, of_payload);
  if (shape == Shape::kEmail) Append(out, AttachmentWarnings(payload.get_object()));
  if (shape == Shape::kBinary) Append(out, BinaryWarnings(payload.get_object()));
  AppendFacts(out, request);
  Bound(out);
  return out;
}

}  // namespace approval::render

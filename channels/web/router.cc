#include "channels/web/router.h"

#include <algorithm>

#include "channels/prompt.h"
#include "channels/web/assets.h"
#include "core/base/instant.h"
#include "core/base/sha256.h"
#include "render/quote.h"
#include "render/words.h"

namespace approval::channels::web {
namespace {

constexpr std::size_t kRefLength = 16;
constexpr std::size_t kMaxShown = 1000;
constexpr std::size_t kMaxNote = 2000;

std::string RefOf(const gate::RequestModel& request) {
  return request.chain.value.hash.substr(0, kRefLength);
}

WebAnswer Html(unsigned status, std::string body) {
  WebAnswer answer;
  answer.status = status;
  answer.body = std::move(body);
  return answer;
}

WebAnswer Plain(unsigned status, const std::string& heading, const std::string& sentence) {
  return Html(status, PlainPage(heading, sentence));
}

WebAnswer SeeOther(const std::string& where) {
  WebAnswer answer;
  answer.status = 303;
  answer.content_type = "text/plain; charset=utf-8";
  answer.headers = {{"Location", where}};
  return answer;
}

WebAnswer File(const Asset& asset) {
  WebAnswer answer;
  answer.content_type = std::string(asset.content_type);
  answer.body = std::string(asset.body);
  return answer;
}

render::Card CardOf(const gate::RequestModel& request, const QueueView& view, std::int64_t now_ms) {
  render::CardOptions options;
  options.surface = render::Surface::kWeb;
  options.prompt = PromptFor(view.policy, "web");
  return render::BuildCard(request, now_ms, options);
}

// A text area sends CR LF for each line end.
std::string WithoutCarriageReturns(std::string text) {
  std::erase(text, '\r');
  return text;
}

// "Approved by human:alice, 18:05 UTC (record 12)"; quoted.
std::string SettledLine(const gate::Settlement& settled, std::int64_t now_ms,
                        const std::optional<render::LocalTime>& local) {
  std::string line = SettledHeadline(settled.state);
  if (settled.seq == 0) return line;
  line += " by " + render::QuoteLine(settled.actor);
  if (const auto at = base::ParseInstant(settled.ts))
    line += ", " + render::ClockWords(*at, now_ms, local);
  line += " (record " + std::to_string(settled.seq) + ")";
  if (settled.note) line += ": " + render::QuoteLine(*settled.note);
  return line;
}

}  // namespace

Router::Router(Runtime& runtime, std::string actor, base::Secret link_key, const base::Clock& clock,
               base::Random& random)
    : runtime_(runtime),
      actor_(std::move(actor)),
      clock_(clock),
      access_(std::move(link_key), clock, random) {}

void Router::SetPort(unsigned short port) { port_ = port; }

std::string Router::CookieName() const {
  // Cookies are shared by all ports of a host, so the port is part of the name.
  return "approval_" + std::to_string(port_);
}

std::string Router::NewLoginLink() {
  return "http://127.0.0.1:" + std::to_string(port_) + "/login?t=" + access_.NewLinkToken();
}

bool Router::KnownHost(const std::optional<std::string>& host) const {
  if (!host) return false;
  const std::string port = ":" + std::to_string(port_);
  return *host == "127.0.0.1" + port || *host == "localhost" + port || *host == "[::1]" + port;
}

bool Router::OwnOrigin(const WebRequest& request) const {
  return request.origin && request.host && *request.origin == "http://" + *request.host;
}

WebAnswer Router::Route(const WebRequest& request) {
  if (!KnownHost(request.host)) {
    return Plain(421, "Wrong address", "This page answers on 127.0.0.1 and localhost only.");
  }
  return RouteKnownHost(request);
}

WebAnswer Router::RouteKnownHost(const WebRequest& request) {
  const std::string_view path = PathOf(request.target);
  const bool get = request.method == "GET";
  if (!get && request.method != "POST") {
    WebAnswer answer = Plain(405, "Not allowed", "This page takes GET and POST.");
    answer.headers = {{"Allow", "GET, POST"}};
    return answer;
  }
  if (get && path == "/healthz") {
    WebAnswer answer;
    answer.status = runtime_.View()->stopped ? 503 : 200;
    answer.content_type = "text/plain; charset=utf-8";
    answer.body = answer.status == 200 ? "ok\n" : "stopped\n";
    return answer;
  }
  if (get && path == StyleSheet().path) return File(StyleSheet());
  if (get && path == Script().path) return File(Script());
  if (get && path == "/login") return Login(request);
  const auto session = access_.SessionOf(request.cookie, CookieName());
  if (!session) {
    return Plain(403, "Open it with a login link",
                 "This page is open only to whoever holds a login link. The running gateway prints "
                 "one at its start; `approval channel web link` prints a fresh one.");
  }
  return get ? Get(request, *session) : Post(request, *session);
}

WebAnswer Router::Login(const WebRequest& request) {
  const auto token = FormMember(QueryOf(request.target), "t");
  const auto session = token ? access_.Login(*token) : std::nullopt;
  if (!session) {
    return Plain(
        403, "This link does not work any more",
        "A login link works once and for ten minutes. `approval channel web link` prints a "
        "fresh one.");
  }
  WebAnswer answer = SeeOther("/");
  answer.headers.emplace_back(
      "Set-Cookie", CookieName() + "=" + *session + "; Path=/; HttpOnly; SameSite=Strict");
  return answer;
}

void Router::Remember(const QueueView& view) {
  for (const gate::RequestModel& request : view.requests) {
    const std::string ref = RefOf(request);
    const auto [at, fresh] = shown_.insert_or_assign(
        ref, Shown{request.action_key.value, request.chain.value.hash, request});
    if (fresh) shown_order_.push_back(ref);
  }
  while (shown_order_.size() > kMaxShown) {
    shown_.erase(shown_order_.front());
    shown_order_.pop_front();
  }
}

Frame Router::MakeFrame(const QueueView& view, const std::string& open_ref, bool refresh) {
  Frame frame;
  frame.actor = render::QuoteLine(actor_);
  frame.refresh = refresh;
  const std::int64_t now = clock_.NowMs();
  for (const gate::RequestModel& request : view.requests) {
    const render::Card card = CardOf(request, view, now);
    ListEntry entry;
    entry.ref = RefOf(request);
    entry.headline = card.headline;
    const auto deadline = request.waiting.value.deadline_ms;
    entry.about = card.requester + " · " +
                  (deadline ? render::LeftWords(*deadline - now) : std::string("no deadline"));
    if (!card.key_lines.empty()) entry.about = card.key_lines.front().value + " · " + entry.about;
    entry.warned = !card.warnings.empty();
    entry.open = entry.ref == open_ref;
    frame.entries.push_back(std::move(entry));
  }
  for (const gate::Skip& skip : view.skipped) {
    frame.skipped.push_back(
        {skip.action_key, std::string(base::Spelling(skip.error.code)), skip.error.message});
  }
  return frame;
}

WebAnswer Router::Page(unsigned status, const std::string& session, const std::string& ref,
                       const Shown& shown, const std::string& note,
                       const std::optional<std::string>& problem, bool all_lines) {
  const auto view = runtime_.View();
  const std::int64_t now = clock_.NowMs();
  RequestPage page;
  page.ref = ref;
  page.card = CardOf(shown.request, *view, now);
  page.settlement = runtime_.SettlementOf(shown.action_key, shown.request_hash);
  page.settled_line = SettledLine(page.settlement, now, LocalTimeFor(view->policy, "web"));
  page.request_hash = shown.request_hash;
  page.form_token =
      access_.FormToken(session, shown.action_key, shown.request_hash, page.card.display_hash);
  page.reasons = view->policy.channels.telegram.reject_reasons;
  page.note = note;
  page.problem = problem;
  page.all_lines = all_lines;
  return Html(status, RequestHtml(MakeFrame(*view, ref, false), page));
}

WebAnswer Router::Get(const WebRequest& request, const std::string& session) {
  const std::string path(PathOf(request.target));
  const auto view = runtime_.View();
  if (path == "/events") {
    WebAnswer answer;
    answer.content_type = "text/event-stream; charset=utf-8";
    answer.events = true;
    return answer;
  }
  const bool list = path == "/" || path == "/index.html";
  const bool one = path.rfind("/r/", 0) == 0;
  if (!list && !one) return Plain(404, "Not here", "There is no such page.");
  if (view->stopped) return Html(503, StopPage(*view->stopped));
  Remember(*view);
  if (list) return Html(200, ListPage(MakeFrame(*view, "", true)));
  const std::string ref = path.substr(3);
  const auto shown = shown_.find(ref);
  if (shown == shown_.end()) {
    return Plain(404, "Not waiting",
                 "This request is not waiting any more, or was never shown here.");
  }
  const bool all = FormMember(QueryOf(request.target), "all").has_value();
  return Page(200, session, ref, shown->second, "", std::nullopt, all);
}

WebAnswer Router::Post(const WebRequest& request, const std::string& session) {
  if (!OwnOrigin(request)) {
    return Plain(403, "Refused", "This did not come from the page itself; nothing was recorded.");
  }
  if (PathOf(request.target) != "/decide") return Plain(404, "Not here", "There is no such page.");
  const std::string type = request.content_type.value_or("");
  if (type.substr(0, type.find(';')) != "application/x-www-form-urlencoded") {
    return Plain(415, "Refused", "Only the page's own form is taken; nothing was recorded.");
  }
  const auto view = runtime_.View();
  if (view->stopped) return Html(503, StopPage(*view->stopped));
  Remember(*view);
  return Decide(request, session);
}

WebAnswer Router::Decide(const WebRequest& request, const std::string& session) {
  const auto member = [&](std::string_view name) {
    return FormMember(request.body, name).value_or("");
  };
  const std::string ref = member("ref");
  const auto found = shown_.find(ref);
  if (found == shown_.end()) {
    return Plain(404, "Not waiting", "This request was never shown here; nothing was recorded.");
  }
  const Shown shown = found->second;
  const std::string note = WithoutCarriageReturns(member("note"));
  const render::Card card = CardOf(shown.request, *runtime_.View(), clock_.NowMs());
  const std::string due =
      access_.FormToken(session, shown.action_key, shown.request_hash, card.display_hash);
  if (!base::EqualConstantTime(member("token"), due) ||
      member("request_hash") != shown.request_hash || member("display_hash") != card.display_hash) {
    return Page(409, session, ref, shown, note,
                "This changed since the page was made; nothing was recorded. Look again.", false);
  }
  if (note.size() > kMaxNote) {
    return Page(422, session, ref, shown, note, "The note is too long; nothing was recorded.",
                false);
  }
  Report report;
  report.action_key = shown.action_key;
  report.request_hash = shown.request_hash;
  report.delivery_id = "web-" + ref;
  const std::string reason = member("reason");
  const std::string decision = reason.empty() ? member("decision") : "reject";
  if (decision == "grant") {
    if (!card.complete) {
      return Page(422, session, ref, shown, note,
                  "This page cannot show every byte, so it cannot approve.", false);
    }
    report.gesture = Gesture::kGrant;
  } else if (decision == "reject") {
    report.gesture = Gesture::kReject;
  } else {
    return Page(422, session, ref, shown, note, "Press Approve or Reject.", false);
  }
  report.note = reason.empty() ? note : reason;
  if (report.note->find_first_not_of(" \t\r\n") == std::string::npos) report.note.reset();
  if (report.gesture == Gesture::kReject && !report.note) {
    return Page(422, session, ref, shown, note,
                "Say why in the note, or press one of the reasons; nothing was recorded.", false);
  }
  const Outcome outcome = runtime_.Decide("web", report);
  if (outcome.ok) return SeeOther("/r/" + ref);
  if (const auto view = runtime_.View(); view->stopped) return Html(503, StopPage(*view->stopped));
  return Page(409, session, ref, shown, note,
              outcome.sentence + " (" + std::string(base::Spelling(outcome.code)) + ")", false);
}

}  // namespace approval::channels::web

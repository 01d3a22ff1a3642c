#include "channels/web/assets.h"

#include "core/base/encoding.h"
#include "core/base/sha256.h"

namespace approval::channels::web {
namespace {

constexpr std::string_view kStyle = R"css(
:root {
  --ink: #1d2125; --quiet: #5d6670; --line: #d9dee3; --paper: #ffffff; --back: #f4f6f8;
  --accent: #1f6f5c; --warn: #8a4b00; --warn-back: #fff5e5; --stop: #a3182b;
  --mono: ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e8ec; --quiet: #9aa5b1; --line: #343b43; --paper: #1b1f24; --back: #121519;
    --accent: #58b79d; --warn: #f0b35e; --warn-back: #2b2315; --stop: #f2707f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
a { color: var(--accent); }
header.top { display: flex; gap: 1rem; align-items: baseline; padding: .8rem 1.2rem;
  border-bottom: 1px solid var(--line); background: var(--paper); }
header.top h1 { font-size: 1.05rem; margin: 0; font-weight: 600; }
header.top .who { color: var(--quiet); margin-left: auto; font-size: .9rem; }
.columns { display: grid; grid-template-columns: minmax(16rem, 22rem) minmax(0, 1fr);
  max-width: 78rem; margin: 0 auto; }
@media (max-width: 52rem) { .columns { grid-template-columns: 1fr; }
  .columns.open nav.queue { display: none; } }
nav.queue { padding: 1rem; border-right: 1px solid var(--line); }
nav.queue ul { list-style: none; margin: 0; padding: 0; }
nav.queue li a { display: block; padding: .6rem .8rem; border-radius: .5rem; color: inherit;
  text-decoration: none; overflow-wrap: anywhere; }
nav.queue li a:hover, nav.queue li a[aria-current] { background: var(--paper);
  box-shadow: 0 0 0 1px var(--line); }
nav.queue .head { font-weight: 600; display: block; }
nav.queue .sub, .quiet { color: var(--quiet); font-size: .88rem; }
nav.queue .mark { color: var(--warn); }
main { padding: 1.2rem; min-width: 0; }
article { background: var(--paper); border: 1px solid var(--line); border-radius: .7rem;
  padding: 1.2rem 1.4rem 0; max-width: 52rem; }
article h2 { margin: 0 0 .8rem; font-size: 1.3rem; line-height: 1.3; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .1rem 1rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; unicode-bidi: isolate; }
.bytes { font-family: var(--mono); font-size: .9rem; line-height: 1.5; white-space: pre-wrap;
  overflow-wrap: anywhere; border-left: 3px solid var(--line); padding: .2rem 0 .2rem .9rem;
  margin: .4rem 0 1rem; max-width: 70ch; unicode-bidi: isolate; }
.mail .bytes { font-family: inherit; font-size: 1rem; }
.bytes span { display: block; min-height: 1.5em; unicode-bidi: isolate; }
.label { color: var(--quiet); font-size: .88rem; margin-top: 1rem; }
.warnings { list-style: none; margin: 1rem 0; padding: .6rem .9rem; background: var(--warn-back);
  color: var(--warn); border-radius: .5rem; overflow-wrap: anywhere; }
.claimed { border: 1px dashed var(--quiet); border-radius: .5rem; padding: .6rem .9rem;
  margin: 1rem 0; color: var(--quiet); overflow-wrap: anywhere; unicode-bidi: isolate; }
.claimed p { margin: .15rem 0; unicode-bidi: isolate; }
details { margin: .8rem 0; }
summary { cursor: pointer; color: var(--quiet); }
form.decide { margin: 0; }
form.decide .row { position: sticky; bottom: 0; display: flex; flex-wrap: wrap; gap: .6rem;
  align-items: center; background: var(--paper); margin: .6rem -1.4rem 0; padding: .9rem 1.4rem;
  border-top: 1px solid var(--line); border-radius: 0 0 .7rem .7rem; }
textarea { width: 100%; font: inherit; color: inherit; background: var(--back);
  border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .7rem; }
button { font: inherit; border-radius: .5rem; border: 1px solid var(--line); background: var(--back);
  color: var(--ink); padding: .5rem 1.1rem; cursor: pointer; }
button.approve { background: var(--accent); border-color: var(--accent); color: var(--paper);
  font-weight: 600; }
button.small { padding: .25rem .7rem; font-size: .88rem; }
.settled { padding: .9rem 0 1.2rem; font-weight: 600; }
.problem { color: var(--stop); font-weight: 600; }
body.stop { display: grid; place-items: center; min-height: 100vh; text-align: center; }
body.stop main { max-width: 40rem; }
body.stop h1 { color: var(--stop); }
)css";

constexpr std::string_view kScript = R"js(
(function () {
  "use strict";
  var queue = document.getElementById("queue");
  if (!queue || !window.EventSource) return;
  var main = document.querySelector("main[data-ref]");
  function part(url, into, select) {
    return fetch(url, { credentials: "same-origin" }).then(function (answer) {
      if (answer.status !== 200) { location.reload(); return ""; }
      return answer.text();
    }).then(function (text) {
      var page = new DOMParser().parseFromString(text, "text/html");
      var fresh = page.querySelector(select);
      if (!fresh) { location.reload(); return; }
      if (select !== "main[data-ref]" || fresh.dataset.state !== into.dataset.state) {
        into.replaceWith(fresh);
      }
    });
  }
  function refresh() {
    var here = location.pathname + location.search;
    part(here, document.getElementById("queue"), "#queue");
    if (main) {
      part(here, main, "main[data-ref]").then(function () {
        main = document.querySelector("main[data-ref]");
      });
    }
  }
  var events = new EventSource("/events");
  events.addEventListener("queue", refresh);
  document.addEventListener("submit", function (event) {
    var form = event.target;
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = "1";
  });
})();
)js";

Asset Make(std::string_view stem, std::string_view ending, std::string_view type,
           std::string_view body) {
  const base::Digest digest = base::Sha256Of(body);
  const std::string hex = base::HexEncode(base::AsBytes(digest));
  return {"/" + std::string(stem) + "-" + hex.substr(0, 12) + "." + std::string(ending),
          "sha256-" + base::Base64Encode(base::AsBytes(digest)), type, body};
}

}  // namespace

const Asset& StyleSheet() {
  static const Asset asset = Make("style", "css", "text/css; charset=utf-8", kStyle);
  return asset;
}

const Asset& Script() {
  static const Asset asset = Make("app", "js", "text/javascript; charset=utf-8", kScript);
  return asset;
}

}  // namespace approval::channels::web

"use strict";
// Spares reloads; everything works without it, one page at a time. Texts enter the page as texts, and markup only as
// whole parts that the server made.

const part = async (address) => {
  const reply = await fetch(address, { headers: { "X-Part": "1" }, credentials: "same-origin" });
  if (!reply.ok) throw new Error(String(reply.status));
  return new DOMParser().parseFromString(await reply.text(), "text/html").body.firstElementChild;
};

const follow = (reply) => {
  const status = reply.querySelector("#status");
  const bar = reply.querySelector("progress");
  const steps = reply.querySelector("#steps");
  const draft = reply.querySelector("#draft");
  const events = new EventSource(reply.dataset.events);
  const on = (name, act) => events.addEventListener(name, (event) => act(JSON.parse(event.data)));
  let iteration = 0;
  on("stage", (stage) => { iteration = stage.iteration; });
  on("progress", (progress) => {
    status.textContent = progress.text;
    bar.value = progress.percent;
    const step = document.createElement("li");
    step.textContent = progress.text;
    if (iteration) step.dataset.iteration = String(iteration);
    steps.append(step);
  });
  on("sentence", (sentence) => { draft.append(sentence.text); });
  on("again", () => { draft.replaceChildren(); steps.replaceChildren(); });
  on("question", () => { draft.replaceChildren(); steps.replaceChildren(); });
  on("outcome", async () => {
    events.close();
    try {
      const outcome = await part(reply.dataset.part);
      reply.replaceWith(outcome);
      const said = [...outcome.querySelectorAll("h2, .text")].map((each) => each.textContent);
      document.getElementById("said").textContent = said.join(". ");
    } catch { location.reload(); }
  });
  on("problem", (problem) => { events.close(); status.textContent = `${problem.title}. ${problem.detail}`; });
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) status.textContent = "The connection was lost. Load this page again.";
  });
  return events;
};

// what goes on, brought up to date until it ends; not under the hands of who is in it
const renew = async (shown) => {
  try {
    if (!document.hidden && !shown.contains(document.activeElement)) {
      const fresh = await part(shown.dataset.again);
      shown.replaceWith(fresh);
      shown = fresh;
    }
  } catch { /* it is tried again */ }
  if (shown.dataset.again) setTimeout(renew, 2000, shown);
  else document.getElementById("running").textContent = "It has ended. Load this page again to see how.";
};
const going = document.querySelector("[data-again]");
if (going) setTimeout(renew, 2000, going);

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.cite");
  const dialog = document.getElementById("passage");
  if (!link || !dialog || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    const shown = await part(link.href);
    const close = document.createElement("button");
    close.textContent = "Close";
    close.className = "quiet";
    close.autofocus = true;
    close.addEventListener("click", () => dialog.close());
    dialog.replaceChildren(close, shown);
    dialog.showModal();
  } catch { location.assign(link.href); }
});

document.addEventListener("keydown", (event) => {
  const asks = event.key === "Enter" && !event.shiftKey && !event.isComposing;
  if (asks && event.target.matches("form.ask textarea")) {
    event.preventDefault();
    if (!event.repeat) event.target.form.requestSubmit();
  }
});

// a question is sent while this page stays: its answer is followed as soon as it is taken, no page is loaded before
let shownPath = location.pathname, asking = false, followed = null;
const LOST = "The connection was lost. See whether the question stands in the history before you send it again.";

const show = (fresh, address) => {
  history.pushState(null, "", address);
  shownPath = location.pathname;
  document.title = fresh.title;
  const main = fresh.getElementById("main");
  document.getElementById("main").replaceWith(main);
  scrollTo(0, 0);
  main.focus();
  const working = main.querySelector("[data-events]");
  if (working) followed = follow(working);
};

// sends a form; gives words where it was not taken
const send = async (form, submitter) => {
  const fields = new URLSearchParams(new FormData(form, submitter));
  try {
    const reply = await fetch(form.action, { method: "POST", body: fields, credentials: "same-origin" });
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
    if (reply.ok) show(fresh, reply.url);
    else if (reply.redirected) location.assign(reply.url); // it was taken; this says what keeps it from being shown
    else return [...fresh.getElementById("main").children].map((each) => each.textContent).join(". ");
  } catch { return LOST; }
  return "";
};

document.addEventListener("submit", async (event) => {
  if (!event.target.matches("form.ask, form.follow")) return;
  event.preventDefault();
  if (asking) return;
  asking = true;
  const buttons = [...document.querySelectorAll("form.ask button, form.follow button")];
  const hint = document.querySelector("form.ask .hint");
  followed?.close();
  for (const button of buttons) button.disabled = true;
  hint.textContent = "Reading the question";
  const words = await send(event.target, event.submitter);
  asking = false;
  if (!words) return;
  for (const button of buttons) button.disabled = false;
  hint.setAttribute("role", "alert");
  hint.textContent = words;
});
addEventListener("popstate", () => {
  if (location.pathname !== shownPath) location.reload();
});
const working = document.querySelector("[data-events]");
if (working) followed = follow(working);

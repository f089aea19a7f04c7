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
};

const working = document.querySelector("[data-events]");
if (working) follow(working);

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
    event.target.form.requestSubmit();
  }
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form.ask")) return;
  event.target.querySelector("button").disabled = true;
  event.target.querySelector(".hint").textContent = "Reading the question";
});
addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll("form.ask button")) button.disabled = false;
});

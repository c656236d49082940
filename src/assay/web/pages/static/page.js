// The page: sign-in, choice of work, progress of the day, and keyboard shortcuts.

import { Problem, request, signIn, signOut, whenSignInIsNeeded } from "/review/api.js";
import { Decisions } from "/review/decisions.js";
import { byId, say, show } from "/review/dom.js";
import { Marking } from "/review/marking.js";
import { Screening } from "/review/screening.js";
import { Stopwatch } from "/review/stopwatch.js";

const main = byId("work");
const stopwatch = new Stopwatch();
let works = null;
let current = null;
let reviewer = null;
let user = null;
let waiting = [];

// Shows the reviewer's work of today.
function showProgress(latest) {
  reviewer = latest;
  const marks = current === "mark";
  const done = marks ? reviewer.marked_today : reviewer.read_today;
  byId("name").textContent = reviewer.name;
  byId("progress-text").textContent = `${done} of ${reviewer.daily_cap} ${marks ? "marked" : "read"} today`;
  byId("progress").max = Math.max(1, reviewer.daily_cap);
  byId("progress").value = done;
  byId("to-mark").textContent = reviewer.to_mark || "";
}

// Shows one kind of work; `question` is a question that is shown instead of the next one.
function choose(name, question = null) {
  current = name;
  for (const tab of ["screen", "mark", "decisions"]) byId(`tab-${tab}`).setAttribute("aria-pressed", String(tab === name));
  for (const keys of document.querySelectorAll(".keys")) keys.hidden = keys.dataset.for !== name;
  showProgress(reviewer);
  delete main.dataset.panel;
  if (question === null) works[name].next();
  else works[name].take(question);
}

function showSignedIn(signedIn) {
  byId("sign-in").hidden = signedIn;
  for (const part of ["who", "work", "foot"]) byId(part).hidden = !signedIn;
}

// Shows the sign-in form; the work behind it is kept.
function askForSignIn(why) {
  stopwatch.pause();
  showSignedIn(false);
  if (why) byId("sign-in-why").textContent = why;
  (byId("user").value ? byId("secret") : byId("user")).focus();
}

async function begin() {
  const start = await request("GET", "/review/reviewer");
  const parts = { main, disciplines: start.all_disciplines, kinds: start.all_kinds, stopwatch, showProgress };
  const reopen = (question) => choose("screen", question);
  works = { screen: new Screening(parts), mark: new Marking(parts), decisions: new Decisions({ ...parts, reopen }) };
  reviewer = start.reviewer;
  showSignedIn(true);
  choose("screen");
}

byId("sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const [id, secret, error] = [byId("user").value.trim().toLowerCase(), byId("secret"), byId("sign-in-error")];
  const button = event.target.querySelector("button");
  error.textContent = "";
  button.disabled = true;
  try {
    await signIn(id, secret.value);
    const same = works !== null && id === user;
    const resumed = waiting;
    waiting = [];
    user = id;
    if (same) showSignedIn(true);
    else await begin();
    secret.value = "";
    stopwatch.go();
    for (const { resolve, reject } of resumed) {
      if (same) resolve();
      else reject(new Problem(0, "Another user", "Another user has signed in: nothing was sent."));
    }
    say("Signed in.");
  } catch (problem) {
    error.textContent = explain(problem);
    if (works === null) await signOut();
    showSignedIn(false);
    secret.focus();
  } finally {
    button.disabled = false;
  }
});

function explain(problem) {
  if (!(problem instanceof Problem)) throw problem;
  if (problem.status === 401 || problem.status === 422) return "User id or secret is wrong. After many attempts, wait a minute.";
  if (problem.status === 403) return `This user may not review: ${problem.message}.`;
  return problem.message;
}

byId("sign-out").addEventListener("click", async () => {
  await signOut();
  location.reload();
});
byId("tab-screen").addEventListener("click", () => choose("screen"));
byId("tab-mark").addEventListener("click", () => choose("mark"));
byId("tab-decisions").addEventListener("click", () => choose("decisions"));
byId("shortcuts").addEventListener("change", (event) => byId("foot").classList.toggle("off", !event.target.checked));

addEventListener("keydown", (event) => {
  if (works === null || main.hidden || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
  const typing = event.target.closest?.("input, textarea, select") !== null;
  if (event.key !== "Escape" && (typing || !byId("shortcuts").checked)) return;
  if (works[current].press(event.key)) event.preventDefault();
});

whenSignInIsNeeded(() => {
  askForSignIn("Your session has expired. Sign in again to continue: your text is not lost.");
  return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
});
show(main);
askForSignIn(null);

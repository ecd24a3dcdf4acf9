// Single keys for the buttons of a page. Without this script the buttons do the same.
"use strict";

document.addEventListener("keydown", event => {
  const isTyping = event.target.closest("input:not([type=checkbox]), textarea, select");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const key = event.key.toLowerCase();
  if (key === "j" || key === "k") return toDifference(key === "j" ? 1 : -1);
  if (!/^[a-z]$/.test(key)) return;
  const button = document.querySelector(`button[data-key="${key}"]`);
  if (!button || button.disabled) return;
  event.preventDefault();
  button.form.requestSubmit(button);
});

// Goes to the next difference, or back to the one before: in both texts, where both have one.
let here = -1;
const toDifference = step => {
  const marks = [...document.querySelectorAll(".text")].map(text => [...text.querySelectorAll("del, ins")]);
  const most = Math.max(0, ...marks.map(list => list.length));
  if (!most) return;
  here = (here + step + most) % most;
  document.querySelectorAll(".here").forEach(mark => mark.classList.remove("here"));
  for (const list of marks) {
    const mark = list[Math.min(here, list.length - 1)];
    if (!mark) continue;
    mark.classList.add("here");
    const text = mark.closest(".text");
    const [outer, inner] = [text.getBoundingClientRect(), mark.getBoundingClientRect()];
    text.scrollTop += inner.top - outer.top - text.clientHeight / 3;
  }
};

// An answer is sent once, however often it is pressed.
document.addEventListener("submit", event => {
  if (event.target.method !== "post") return;
  if (event.target.dataset.isSent) return event.preventDefault();
  const saved = document.getElementById("saved");
  if (saved) saved.textContent = "Saving …";
  for (const form of document.forms) form.dataset.isSent = "yes";
});

// A page that the browser kept, as it is gone back to, can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.isSent;
});

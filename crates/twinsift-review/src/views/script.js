// Single keys for the buttons of a page. Without this script the buttons do the same.
"use strict";

document.addEventListener("keydown", event => {
  const isTyping = event.target.closest("input:not([type=checkbox]), textarea, select");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const key = event.key.toLowerCase();
  if (!/^[a-z]$/.test(key)) return;
  const button = document.querySelector(`button[data-key="${key}"]`);
  if (!button || button.disabled) return;
  event.preventDefault();
  button.form.requestSubmit(button);
});

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

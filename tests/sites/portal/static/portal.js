"use strict";
const button = document.querySelector(".menu-button");
const list = document.getElementById("account-menu");
function toggle(open) {
  list.hidden = !open;
  button.setAttribute("aria-expanded", String(open));
}
button.addEventListener("click", () => toggle(list.hidden));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !list.hidden) { toggle(false); button.focus(); }
});
document.addEventListener("click", (event) => {
  if (!event.target.closest(".menu")) toggle(false);
});

const banner = document.querySelector(".cookies");
if (banner) {
  const settings = banner.querySelector(".cookie-settings");
  const opener = banner.querySelector("button.plain");
  opener.addEventListener("click", () => {
    settings.hidden = !settings.hidden;
    opener.setAttribute("aria-expanded", String(!settings.hidden));
  });
  banner.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    document.cookie = `cookie_choice=${event.submitter.value}; Path=/; Max-Age=31536000; SameSite=Lax`;
    banner.remove();
  });
}

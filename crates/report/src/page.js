"use strict";
(() => {
  // Words of the thing under the pointer. They are set as text, never as markup.
  const tip = document.getElementById("tip");
  const place = (event) => {
    const box = tip.getBoundingClientRect();
    const left = Math.min(event.clientX + 14, window.innerWidth - box.width - 6);
    const below = event.clientY + 18 + box.height < window.innerHeight;
    tip.style.left = Math.max(6, left) + "px";
    tip.style.top = (below ? event.clientY + 18 : Math.max(6, event.clientY - box.height - 12)) + "px";
  };
  const show = (event) => {
    const at = event.target.closest && event.target.closest("[data-tip]");
    tip.hidden = !at;
    if (at) {
      tip.textContent = at.getAttribute("data-tip").split(" | ").join("\n");
      place(event);
    }
  };
  document.addEventListener("pointermove", show);
  document.addEventListener("pointerdown", show);
  document.addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

  // Which bots are shown: everything of a bot carries its class.
  for (const button of document.querySelectorAll(".filter button")) {
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(shown));
      for (const part of document.querySelectorAll("main .s" + button.dataset.player)) {
        part.classList.toggle("off", !shown);
      }
    });
  }
  document.querySelector(".filter").hidden = false;
})();

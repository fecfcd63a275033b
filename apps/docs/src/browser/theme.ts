// Runs before the page is drawn, so that no page flashes in the other colours. The dashboard has the same preference.
(() => {
  const root = document.documentElement;
  root.classList.add('scripted');
  try {
    const stored = localStorage.getItem('postrider.theme') ?? '';
    const theme = /light|dark/.exec(stored)?.[0];
    if (theme) root.dataset['theme'] = theme;
  } catch {
    // Without storage the system decides.
  }
})();

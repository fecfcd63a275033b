/** Preferences of this browser. Without browser storage they are not remembered. */
export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(`postrider.${name}`);
  } catch {
    // Storage is disabled, so no preference is stored.
    return null;
  }
}

export function writePreference(name: string, value: string): void {
  try {
    localStorage.setItem(`postrider.${name}`, value);
  } catch {
    // Storage is disabled or full; the choice lasts until the page is closed.
  }
}

export function removePreference(name: string): void {
  try {
    localStorage.removeItem(`postrider.${name}`);
  } catch {
    // Storage is disabled, so there is nothing to remove.
  }
}

/** Removes all entries whose name begins so. */
export function removePreferences(prefix: string): void {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(`postrider.${prefix}`));
    for (const name of names) localStorage.removeItem(name);
  } catch {
    // Storage is disabled, so there is nothing to remove.
  }
}

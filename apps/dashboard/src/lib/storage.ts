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

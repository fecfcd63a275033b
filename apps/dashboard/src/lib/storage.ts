/** Preferences of this browser. A browser that refuses storage only forgets them. */
export function readPreference(name: string): string | null {
  try {
    return localStorage.getItem(`postrider.${name}`);
  } catch {
    // Storage is switched off: there is no preference.
    return null;
  }
}

export function writePreference(name: string, value: string): void {
  try {
    localStorage.setItem(`postrider.${name}`, value);
  } catch {
    // Storage is switched off or full; the choice holds until the page is closed.
  }
}

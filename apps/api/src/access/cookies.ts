interface ScopedCookie {
  name: string;
  /** empty to remove it */
  value: string;
  path: string;
  /** in seconds */
  maxAge: number;
}

/** The value of a cookie of a request; null when it is missing or empty. */
export function readCookie(cookieHeader: string | undefined, name: string): string | null {
  if (cookieHeader === undefined) return null;
  for (const part of cookieHeader.split(';')) {
    const separator = part.indexOf('=');
    if (part.slice(0, separator).trim() !== name) continue;
    return part.slice(separator + 1).trim() || null;
  }
  return null;
}

/** A cookie that scripts cannot read. `Secure` only over https, since browsers refuse such a cookie on a plain-text address. */
export const scopedCookie = ({ name, value, path, maxAge }: ScopedCookie, apiUrl: string): string =>
  `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${apiUrl.startsWith('https:') ? '; Secure' : ''}`;

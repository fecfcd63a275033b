/** `Name <address>` or a bare address, as PLATFORM_FROM gives it. */
export function readPlatformFrom(text: string): { email: string; name: string | null } {
  const match = /^\s*(.*?)\s*<([^<>]+)>\s*$/.exec(text);
  return match ? { email: match[2] ?? text, name: match[1] || null } : { email: text.trim(), name: null };
}

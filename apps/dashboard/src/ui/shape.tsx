import type { LucideIcon } from 'lucide-react';

/**
 * An icon by its drawing. Rooms use `Icon`, which knows every name; what loads before the first page uses this, so that it does not
 * load all drawings. Always used beside a text with the same meaning, so screen readers skip it.
 */
export function Shape({ of: Drawing, size = 16 }: { of: LucideIcon; size?: number }) {
  return <Drawing aria-hidden="true" size={size} strokeWidth={1.75} style={{ flex: 'none' }} />;
}

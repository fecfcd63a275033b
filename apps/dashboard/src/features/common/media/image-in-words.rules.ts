import type { Image } from '../../../lib/api.ts';
import { formatBytes } from '../../../lib/format.ts';

/** `600 × 200 · 43 kB`. */
export const imageInWords = ({ width, height, size }: Pick<Image, 'width' | 'height' | 'size'>): string =>
  width === null || height === null ? formatBytes(size) : `${width} × ${height} · ${formatBytes(size)}`;

import type { Readable } from 'node:stream';

/** How long caches may keep a file: its bytes never change, because its key is never reused. */
export const fileCacheControl = 'public, max-age=31536000, immutable';

/** Stores public files under keys that are never reused. */
export interface FileStorage {
  /** @param key letters, digits and one dot; the file is complete once this resolves */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** The file, when this installation serves it itself; null when it does not exist or is served elsewhere. */
  open(key: string): Promise<Readable | null>;
  /** Public address of a file. */
  urlOf(key: string): string;
  /** Whether there is hardly any room left, so that nothing should be stored. */
  isLow(): Promise<boolean>;
  /** Removes a file; one that does not exist is removed already. */
  remove(key: string): Promise<void>;
}

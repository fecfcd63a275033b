/** A file of the site, at its address. */
export interface SiteFile {
  type: string;
  body: Buffer;
  /** whether its address changes with its content */
  immutable: boolean;
}

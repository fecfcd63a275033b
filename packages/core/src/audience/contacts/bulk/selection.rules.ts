/** The contacts of a bulk change by query: all that matched at a moment. */
export interface Selection {
  /** the moment of the request, as PostgreSQL writes it */
  at: string;
  /** part of the address */
  search?: string;
  /** part of the address, or of the name */
  text?: string;
  subscribed?: boolean;
  excludeIds: string[];
}

/** A contact of the walk over all contacts of a project, which is in the order of their creation. */
export interface WalkPosition {
  createdAt: string;
  id: string;
}

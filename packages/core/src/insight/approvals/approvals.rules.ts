/** Approvals of a project that may wait at a time. */
export const mostPending = 100;
/** For how long a person can agree. */
export const openMs = 24 * 3_600_000;
/** The largest input that is kept, in characters of JSON. */
export const largestInput = 2_000_000;
/** Recipients that are named; the others are counted. */
export const namedRecipients = 20;

const uuidForm = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** The ids in a text of JSON, each once, in order. */
export const idsIn = (json: string): string[] => [
  ...new Set([...json.matchAll(uuidForm)].map(([id]) => id.toLowerCase())),
];

/** What a call would do, as its dry run found. */
export interface Effects {
  recipients: { to: string; reason: string | null }[];
  /** all of them; of a campaign, who would get it */
  total: number;
  /** contacts of a change in the background */
  contacts: number;
  /** workflows that would start, or be told */
  workflows: { id: string; name: string }[];
  /** an opt-out would be lifted */
  liftsOptOut: boolean;
  /** members of a tracked segment may change */
  touchesSegments: boolean;
}

export const noEffects: Effects = {
  recipients: [],
  total: 0,
  contacts: 0,
  workflows: [],
  liftsOptOut: false,
  touchesSegments: false,
};

/** A conversion that was counted. */
export interface CountedConversion {
  goalId: string;
  eventId: string;
  contactId: string;
  at: Date;
  value: number | null;
  windowDays: number;
}

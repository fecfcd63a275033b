const minuteMs = 60_000;

/** A moment as `<input type="datetime-local">` wants it: in the reader's zone, without one, to the minute. */
export const localInputValue = (moment: Date): string =>
  new Date(moment.getTime() - moment.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);

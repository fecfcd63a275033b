const minuteMs = 60_000;

/** A time as the value of `<input type="datetime-local">`: local time to the minute, without a zone. */
export const localInputValue = (moment: Date): string =>
  new Date(moment.getTime() - moment.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);

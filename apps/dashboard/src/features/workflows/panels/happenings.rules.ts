const unitMs = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

/** The events of the rows of a form, in their order: `events.<n>.eventName`, so much time after the start. */
export function readHappenings(
  values: Readonly<Record<string, string>>,
  startAt: Date,
): { eventName: string; at: string }[] {
  const events = [];
  for (let n = 0; values[`events.${n}.eventName`] !== undefined; n += 1) {
    const unit = values[`events.${n}.unit`] as keyof typeof unitMs;
    const after = Number(values[`events.${n}.after`] ?? 0) * (unitMs[unit] ?? unitMs.hours);
    const at = new Date(startAt.getTime() + after).toISOString();
    events.push({ eventName: values[`events.${n}.eventName`] ?? '', at });
  }
  return events;
}

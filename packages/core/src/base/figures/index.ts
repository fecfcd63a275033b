export { amountOf, within } from './amounts.rules.ts';
export {
  cachedFigure,
  cachedTotal,
  estimatedFigure,
  figuresOf,
  sweepFigures,
} from './cached-figure.store.ts';
export { countedEmails } from './counted-emails.ts';
export {
  acceptedOf,
  conversionRateOf,
  countsOfCampaign,
  isDeliveryReported,
  percent,
  ratesOf,
} from './email-figures.rules.ts';
export { projectsWithEntries } from './entries.store.ts';
export { computeFiguresJob } from './figures.jobs.ts';
export { type Period, partsOf, quarterAfter, quarterBefore, quarterMs } from './parts.rules.ts';
export { quarter, quarterInterval, quarterOf } from './quarter.ts';
export { computeWanted, projectsWithWanted, type WantedFigures } from './wanted-figures.store.ts';

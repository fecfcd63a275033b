export {
  cachedFigure,
  cachedTotal,
  estimatedFigure,
  figuresOf,
  sweepFigures,
} from './cached-figure.store.ts';
export { computeFiguresJob } from './figures.jobs.ts';
export { computeWanted, projectsWithWanted, type WantedFigures } from './wanted-figures.store.ts';

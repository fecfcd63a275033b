export {
  cachedFigure,
  cachedTotal,
  computeWanted,
  figuresOf,
  sweepFigures,
  type WantedFigures,
} from './cached-figure.store.ts';

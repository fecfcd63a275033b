export { cachedFigure, cachedTotal, figuresOf, sweepFigures } from './cached-figure.store.ts';

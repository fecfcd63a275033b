export { cachedFigure, cachedTotal, figuresOf } from './cached-figure.store.ts';

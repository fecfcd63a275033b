export { cachedFigure, cachedTotal, type FigureOptions } from './cached-figure.store.ts';

export { figureSteps } from './figure-steps.ts';
export { countEarlierExecutions, foldStepFigures } from './fold-step-figures.ts';
export {
  countHere,
  countHereBy,
  type FigureScope,
  type StepSums,
  sumStepFigures,
  workflowSeries,
} from './step-figures.store.ts';

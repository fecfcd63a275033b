import { type Profiler, Session } from 'node:inspector';

/**
 * Counts how often the blocks of the template language and of liquidjs run. Unlike a duration, the count does not
 * depend on the machine. Blocks are counted in functions that are compiled afterwards, so the language has to be
 * imported after this call.
 */
export function startCountingSteps(): (work: () => void) => number {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const take = (): number => {
    let steps = 0;
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      for (const script of result) if (isLanguage(script)) steps += sumOf(script);
    });
    return steps;
  };
  return (work) => {
    take();
    work();
    return take();
  };
}

const isLanguage = ({ url }: Profiler.ScriptCoverage): boolean => /templates\/language|liquidjs/.test(url);

const sumOf = (script: Profiler.ScriptCoverage): number =>
  script.functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);

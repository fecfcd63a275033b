import { useSearchParams } from 'react-router';
import { useNow } from '../../../lib/use-now.ts';
import { choiceOf, type Period, type PeriodChoice, type PeriodName, periodOf } from './period.rules.ts';

/** The period in the address, or the default one, so that a page of figures can be shared. */
export function usePeriod(fallback: PeriodName = '30'): {
  choice: PeriodChoice;
  period: Period;
  setParams: (params: Record<string, string>) => void;
} {
  const [search, setSearch] = useSearchParams();
  const now = new Date(useNow());
  const choice = choiceOf(search, now, fallback);
  const setParams = (params: Record<string, string>) =>
    setSearch(
      (present) => {
        for (const [name, value] of Object.entries(params)) present.set(name, value);
        return present;
      },
      { replace: true },
    );
  return { choice, period: periodOf(choice, now), setParams };
}

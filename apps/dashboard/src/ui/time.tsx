import { formatMoment, formatRelative } from '../lib/format.ts';
import { useNow } from '../lib/use-now.ts';

/** A relative time, with the exact one as its tooltip. */
export function Ago({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatRelative(at, Math.max(now, Date.now()))}
    </time>
  );
}

export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at} data-exact="">
      {formatMoment(at)}
    </time>
  );
}

import { everyType } from '@postrider/core/insight/webhook-endpoints/contract';
import { plural } from '../../../lib/format.ts';
import { Fold } from '../../../ui/fold.tsx';

/** The types of events that an endpoint receives; a list of them is collapsed. */
export function EndpointTypes({ types }: { types: readonly string[] }) {
  if (types.includes(everyType)) return <p>Receives events of all types.</p>;
  return (
    <Fold summary={`Receives events of ${plural(types.length, 'type')}`}>
      <ul>
        {types.map((type) => (
          <li key={type}>
            <code>{type}</code>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

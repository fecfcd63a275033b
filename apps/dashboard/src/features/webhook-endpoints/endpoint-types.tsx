import { everyType } from '@postrider/core/webhook-endpoints/contract';
import { plural } from '../../lib/format.ts';

/** The types of events that an endpoint receives; a list of them is collapsed. */
export function EndpointTypes({ types }: { types: readonly string[] }) {
  if (types.includes(everyType)) return <p>Receives events of all types.</p>;
  return (
    <details>
      <summary>Receives events of {plural(types.length, 'type')}</summary>
      <ul>
        {types.map((type) => (
          <li key={type}>
            <code>{type}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

import {
  type Box,
  boxAttribute,
  boxedTypes,
  boxLimits,
  type DesignSettings,
  hasGround,
  readBox,
  storedBox,
} from '@postrider/core/content/templates/contract';
import { Fold } from '../../../ui/fold.tsx';
import styles from './inspector.module.css';
import { CheckControl, ColorControl, NumberControl } from './inspector-controls.tsx';

interface BoxPanelProps {
  type: string;
  attrs: Readonly<Record<string, unknown>>;
  settings: DesignSettings;
  onChange: (change: Record<string, unknown>) => void;
}

/** The space that a text keeps from the edge of its ground until it gets its own. */
const groundSpace = 18;

/** What can be set around any block: a ground, space, and whether phones show it. */
export function BoxPanel({ type, attrs, settings, onChange }: BoxPanelProps) {
  if (!boxedTypes.includes(type)) return null;
  const box = readBox(type, attrs[boxAttribute]);
  const change = (part: Partial<Box>) => onChange({ [boxAttribute]: storedBox({ ...box, ...part }) });
  const hides = (
    <CheckControl label="Hide on phones" value={box.noPhone} onChange={(noPhone) => change({ noPhone })} />
  );
  if (!hasGround(type)) return hides;
  const isFlush = box.above === 0 && box.below === 0 && box.sides === 0;
  return (
    <Fold summary="Space and background">
      <div className={styles.folded}>
        <ColorControl
          label="Background behind it"
          value={box.ground ?? settings.card}
          onChange={(ground) =>
            // Without space, a text would touch the edge of its ground.
            change({
              ground,
              ...(box.ground === null && isFlush && { above: groundSpace, sides: groundSpace }),
            })
          }
          onReset={box.ground === null ? undefined : () => change({ ground: null })}
        />
        <NumberControl
          label="Space above"
          limits={boxLimits}
          value={box.above}
          onChange={(above) => change({ above })}
        />
        <NumberControl
          label="Space below"
          limits={boxLimits}
          value={box.below}
          onChange={(below) => change({ below })}
        />
        <NumberControl
          label="Space at the sides"
          limits={boxLimits}
          value={box.sides}
          onChange={(sides) => change({ sides })}
        />
        {hides}
      </div>
    </Fold>
  );
}

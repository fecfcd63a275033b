import type { BlockPanelProps, BlockView } from '../block-view.ts';
import {
  AlignmentControl,
  CheckControl,
  ColorControl,
  NumberControl,
  TextControl,
} from '../inspector-controls.tsx';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    button: typeof view;
  }
}

export const view: BlockView<'button'> = {
  type: 'button',
  group: 'block',
  content: null,
  insertions: [{ node: { type: 'button' } }],
  draw({ label, align, background, color, radius, padding, size, wide }) {
    const style = [
      `color:${color}`,
      `border-radius:${radius}px`,
      `padding:${padding}px ${padding * 2}px`,
      `font-size:${size}px`,
      ...(wide ? ['display:block', 'text-align:center'] : []),
      ...(background === null ? [] : [`background-color:${background}`]),
    ].join(';');
    return [
      'div',
      { style: `text-align:${align}` },
      ['span', { class: 'mail-button', style }, label || 'Button'],
    ];
  },
  Panel: ButtonPanel,
};

function ButtonPanel({ values, attributes, settings, onChange }: BlockPanelProps<'button'>) {
  return (
    <>
      <TextControl label="Label" value={values.label} onChange={(label) => onChange({ label })} />
      <TextControl
        label="Address"
        placeholder="https://example.com"
        value={values.href}
        onChange={(href) => onChange({ href })}
      />
      <AlignmentControl value={values.align} onChange={(align) => onChange({ align })} />
      <CheckControl label="Full width" value={values.wide} onChange={(wide) => onChange({ wide })} />
      <NumberControl
        label="Size"
        limits={attributes.size.limits}
        value={values.size}
        onChange={(size) => onChange({ size })}
      />
      <ColorControl
        label="Background"
        value={values.background ?? settings.primary}
        onChange={(background) => onChange({ background })}
        onReset={values.background === null ? undefined : () => onChange({ background: null })}
      />
      <ColorControl label="Text" value={values.color} onChange={(color) => onChange({ color })} />
      <NumberControl
        label="Padding"
        limits={attributes.padding.limits}
        value={values.padding}
        onChange={(padding) => onChange({ padding })}
      />
      <NumberControl
        label="Corners"
        limits={attributes.radius.limits}
        value={values.radius}
        onChange={(radius) => onChange({ radius })}
      />
    </>
  );
}

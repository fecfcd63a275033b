import { addressOf, innerWidth } from '@postrider/core/content/templates/contract';
import { useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { MediaPicker, type PickedImage } from '../../../common/media/media-picker.tsx';
import type { BlockPanelProps, BlockView } from '../block-view.ts';
import { AlignmentControl, NumberControl, TextControl } from '../inspector-controls.tsx';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    image: typeof view;
  }
}

/** An image of the project as the attributes of a block: no wider than the texts around it. */
export const pickedImage = ({ url, alt, width }: PickedImage) => ({
  src: url,
  alt,
  width: width === null ? null : Math.min(innerWidth, width),
});

export const view: BlockView<'image'> = {
  type: 'image',
  group: 'block',
  content: null,
  insertions: [{ node: { type: 'image' } }],
  draw({ alt, align, width, radius, ...image }) {
    const src = addressOf(image.src);
    if (src === '' || src.includes('{{'))
      return ['div', { class: 'mail-placeholder' }, src === '' ? 'Choose an image' : `Image ${src}`];
    const style = `max-width:min(100%,${width}px);border-radius:${radius}px`;
    return ['div', { style: `text-align:${align}` }, ['img', { src, alt, style }]];
  },
  Panel: ImagePanel,
};

function ImagePanel({ values, attributes, onChange }: BlockPanelProps<'image'>) {
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <Button small icon="image" onClick={() => setChoosing(true)}>
        Choose or upload
      </Button>
      {isChoosing && (
        <MediaPicker
          onClose={() => setChoosing(false)}
          onPick={(image) => {
            onChange(pickedImage(image));
            setChoosing(false);
          }}
        />
      )}
      <TextControl
        label="Address"
        placeholder="https://example.com/image.png"
        value={values.src}
        onChange={(src) => onChange({ src })}
      />
      <TextControl
        label="Alternative text"
        placeholder="Empty for decoration"
        value={values.alt}
        onChange={(alt) => onChange({ alt })}
      />
      <TextControl label="Link" value={values.href} onChange={(href) => onChange({ href })} />
      <NumberControl
        label="Width"
        limits={attributes.width.limits}
        value={values.width}
        onChange={(width) => onChange({ width })}
      />
      <NumberControl
        label="Corners"
        limits={attributes.radius.limits}
        value={values.radius}
        onChange={(radius) => onChange({ radius })}
      />
      <AlignmentControl value={values.align} onChange={(align) => onChange({ align })} />
    </>
  );
}

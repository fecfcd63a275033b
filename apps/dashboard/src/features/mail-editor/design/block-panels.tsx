import {
  alignmentOf,
  colorOf,
  type DesignSettings,
  expressionOf,
  numberOf,
  partsOf,
  type SocialLink,
  socialLinksOf,
  socialNetworks,
  textOf,
} from '@postrider/core/content/templates/contract';
import { type ComponentType, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { MediaPicker } from '../../common/media/media-picker.tsx';
import {
  AlignmentControl,
  CodeControl,
  ColorControl,
  NumberControl,
  TextControl,
} from './inspector-controls.tsx';

interface BlockPanelProps {
  attrs: Readonly<Record<string, unknown>>;
  settings: DesignSettings;
  onChange: (change: Record<string, unknown>) => void;
}

/** The blocks that can be selected, as people call them. */
export const blockNames: Readonly<Record<string, string>> = {
  paragraph: 'Text',
  heading: 'Heading',
  bulletList: 'List',
  orderedList: 'Numbered list',
  blockquote: 'Quote',
  horizontalRule: 'Divider',
  button: 'Button',
  image: 'Image',
  spacer: 'Spacer',
  social: 'Social links',
  columns: 'Columns',
  panel: 'Panel',
  condition: 'Condition',
  variable: 'Variable',
  html: 'HTML',
};

const Alignment = ({ attrs, onChange }: BlockPanelProps) => (
  <AlignmentControl value={alignmentOf(attrs['align'])} onChange={(align) => onChange({ align })} />
);

const Text = (props: BlockPanelProps) => (
  <>
    <Alignment {...props} />
    <ColorControl
      label="Colour"
      value={colorOf(props.attrs['color'], props.settings.text)}
      onChange={(color) => props.onChange({ color })}
    />
  </>
);

const ButtonPanel = (props: BlockPanelProps) => {
  const { attrs, settings, onChange } = props;
  return (
    <>
      <TextControl label="Label" value={textOf(attrs['label'])} onChange={(label) => onChange({ label })} />
      <TextControl
        label="Address"
        placeholder="https://example.com"
        value={textOf(attrs['href'])}
        onChange={(href) => onChange({ href })}
      />
      <Alignment {...props} />
      <ColorControl
        label="Background"
        value={colorOf(attrs['background'], settings.primary)}
        onChange={(background) => onChange({ background })}
      />
      <ColorControl
        label="Text"
        value={colorOf(attrs['color'], '#ffffff')}
        onChange={(color) => onChange({ color })}
      />
      <NumberControl
        label="Padding"
        limits={[6, 30]}
        value={numberOf(attrs['padding'], 14, [6, 30])}
        onChange={(padding) => onChange({ padding })}
      />
      <NumberControl
        label="Corners"
        limits={[0, 40]}
        value={numberOf(attrs['radius'], 8, [0, 40])}
        onChange={(radius) => onChange({ radius })}
      />
    </>
  );
};

const ImagePanel = (props: BlockPanelProps) => {
  const { attrs, onChange } = props;
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <Button small icon="image" onClick={() => setChoosing(true)}>
        Choose or upload
      </Button>
      {isChoosing && (
        <MediaPicker
          onClose={() => setChoosing(false)}
          onPick={({ url, alt, width }) => {
            onChange({ src: url, alt, width: width === null ? null : Math.min(536, width) });
            setChoosing(false);
          }}
        />
      )}
      <TextControl
        label="Address"
        placeholder="https://example.com/image.png"
        value={textOf(attrs['src'])}
        onChange={(src) => onChange({ src })}
      />
      <TextControl
        label="Alternative text"
        placeholder="Empty for decoration"
        value={textOf(attrs['alt'])}
        onChange={(alt) => onChange({ alt })}
      />
      <TextControl label="Link" value={textOf(attrs['href'])} onChange={(href) => onChange({ href })} />
      <NumberControl
        label="Width"
        limits={[24, 536]}
        value={numberOf(attrs['width'], 536, [24, 536])}
        onChange={(width) => onChange({ width })}
      />
      <NumberControl
        label="Corners"
        limits={[0, 40]}
        value={numberOf(attrs['radius'], 0, [0, 40])}
        onChange={(radius) => onChange({ radius })}
      />
      <Alignment {...props} />
    </>
  );
};

const SpacerPanel = ({ attrs, onChange }: BlockPanelProps) => (
  <NumberControl
    label="Height"
    limits={[4, 200]}
    value={numberOf(attrs['height'], 24, [4, 200])}
    onChange={(height) => onChange({ height })}
  />
);

const SocialPanel = (props: BlockPanelProps) => {
  const { attrs, onChange } = props;
  const links = socialLinksOf(attrs['links']);
  const addressIn = (network: string) => links.find((link) => link.network === network)?.href ?? '';
  const change = (network: string, href: string) => {
    const others: SocialLink[] = links.filter((link) => link.network !== network);
    const all = href === '' ? others : [...others, { network, href }];
    const order = Object.keys(socialNetworks);
    onChange({ links: all.toSorted((one, two) => order.indexOf(one.network) - order.indexOf(two.network)) });
  };
  return (
    <>
      {Object.entries(socialNetworks).map(([network, start]) => (
        <TextControl
          key={network}
          label={network}
          placeholder={start}
          value={addressIn(network)}
          onChange={(href) => change(network, href)}
        />
      ))}
      <Alignment {...props} />
    </>
  );
};

const PanelPanel = ({ attrs, onChange }: BlockPanelProps) => (
  <>
    <ColorControl
      label="Background"
      value={colorOf(attrs['background'], '#f4f4f2')}
      onChange={(background) => onChange({ background })}
    />
    <NumberControl
      label="Padding"
      limits={[0, 60]}
      value={numberOf(attrs['padding'], 20, [0, 60])}
      onChange={(padding) => onChange({ padding })}
    />
  </>
);

const ConditionPanel = ({ attrs, onChange }: BlockPanelProps) => (
  <TextControl
    label="Show if"
    placeholder={'plan == "pro"'}
    value={textOf(attrs['test'])}
    onChange={(test) => onChange({ test })}
  />
);

const VariablePanel = ({ attrs, onChange }: BlockPanelProps) => {
  const { name, fallback } = partsOf(textOf(attrs['expression']));
  return (
    <>
      <TextControl
        label="Name"
        value={name}
        onChange={(next) => onChange({ expression: expressionOf(next, fallback) })}
      />
      <TextControl
        label="If it is empty"
        placeholder="there"
        value={fallback}
        onChange={(next) => onChange({ expression: expressionOf(name, next) })}
      />
    </>
  );
};

const HtmlPanel = ({ attrs, onChange }: BlockPanelProps) => (
  <CodeControl label="Code" value={textOf(attrs['html'])} onChange={(html) => onChange({ html })} />
);

export const blockPanels: Readonly<Record<string, ComponentType<BlockPanelProps>>> = {
  paragraph: Text,
  heading: Text,
  button: ButtonPanel,
  image: ImagePanel,
  spacer: SpacerPanel,
  social: SocialPanel,
  panel: PanelPanel,
  condition: ConditionPanel,
  variable: VariablePanel,
  html: HtmlPanel,
};

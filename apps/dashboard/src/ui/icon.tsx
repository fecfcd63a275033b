import type { ReactNode } from 'react';

const shapes = {
  overview: <path d="M2.5 13.5h11M4 11V8.5M8 11V3.5M12 11V6" />,
  chart: <path d="M2.5 2.5v11h11M5 10.5l2.5-3 2 1.5 3.5-5" />,
  key: (
    <>
      <circle cx="5" cy="11" r="2.5" />
      <path d="M6.8 9.2 13.5 2.5M11 5l2 2M9 7l1.5 1.5" />
    </>
  ),
  mail: <path d="M2 3.5h12v9H2zM2 4l6 4.6L14 4" />,
  globe: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M2 8h12M8 2c2 1.8 2.6 3.8 2.6 6S10 12.2 8 14c-2-1.8-2.6-3.8-2.6-6S6 3.8 8 2z" />
    </>
  ),
  card: <path d="M2 3.5h12v9H2zM2 6.5h12M4 10h3" />,
  campaign: <path d="M2.5 6.5v3h2L11 13V3L4.5 6.5zM13.5 6.5v3M5 9.5v3.5h2v-2.6" />,
  contacts: (
    <>
      <circle cx="6" cy="5.5" r="2.5" />
      <path d="M1.5 13.5c.3-2.6 2-4 4.5-4s4.2 1.4 4.5 4M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.8c1.5.5 2.3 1.8 2.5 3.7" />
    </>
  ),
  segment: <path d="M2 3h12L9.5 8.5v4.5l-3-1.5v-3zM2 3l4.5 5.5" />,
  template: <path d="M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M5.5 8h5M5.5 10.5h5M5.5 5.5h2" />,
  settings: <path d="M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6M9.8 2.8v3.4M6.2 9.8v3.4" />,
  event: <path d="M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z" />,
  copy: <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />,
  check: <path d="m3 8.5 3.3 3.3L13 4.5" />,
  cross: <path d="m4 4 8 8M12 4l-8 8" />,
  question: <path d="M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4v.3M8 12.5v.5" />,
  menu: <path d="M2 4.5h12M2 8h12M2 11.5h12" />,
  chevron: <path d="m6 3.5 4.5 4.5L6 12.5" />,
  updown: <path d="m5 6 3-3 3 3M5 10l3 3 3-3" />,
  plus: <path d="M8 3v10M3 8h10" />,
  sun: (
    <>
      <circle cx="8" cy="8" r="2.8" />
      <path d="M8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1" />
    </>
  ),
  moon: <path d="M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6z" />,
  screen: <path d="M2 3h12v8H2zM5.5 13.5h5M8 11v2.5" />,
  refresh: <path d="M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3" />,
  external: <path d="M6.5 3.5h-3v9h9v-3M9 2.5h4.5V7M13.5 2.5 7.5 8.5" />,
  leave: <path d="M6.5 2.5h-4v11h4M6 8h8M11 5l3 3-3 3" />,
  eye: (
    <>
      <path d="M1.5 8C3 5.2 5.2 3.8 8 3.8S13 5.2 14.5 8c-1.5 2.8-3.7 4.2-6.5 4.2S3 10.8 1.5 8z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  alert: <path d="M8 2 1.5 13.5h13zM8 6.5v3.2M8 11.3v.7" />,
  workflow: (
    <path d="M5.5 1.8h5v3.4h-5zM1.8 10.8h4.6v3.4H1.8zM9.6 10.8h4.6v3.4H9.6zM8 5.2V8M4.1 10.8V8h7.8v2.8" />
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.5V8l2.4 1.6" />
    </>
  ),
  ear: (
    <path d="M3.5 6.5a4.5 4.5 0 0 1 9 0c0 3-3 3-3 5.2a2 2 0 0 1-3.7 1M5.8 6.7a2.2 2.2 0 0 1 4.4 0c0 1.3-1.5 1.3-1.5 2.6" />
  ),
  fork: (
    <path d="M8 2v3.5M8 5.5c0 3.5-4.5 2-4.5 6M8 5.5c0 3.5 4.5 2 4.5 6M1.8 10l1.7 2 1.7-2M10.8 10l1.7 2 1.7-2" />
  ),
  webhook: <path d="m5.5 4.5-3.5 3.5 3.5 3.5M10.5 4.5 14 8l-3.5 3.5M9.2 3 6.8 13" />,
  person: (
    <>
      <circle cx="8" cy="5" r="2.6" />
      <path d="M2.8 13.8c.3-2.9 2.2-4.4 5.2-4.4s4.9 1.5 5.2 4.4" />
    </>
  ),
  stop: <path d="M5.2 2h5.6L14 5.2v5.6L10.8 14H5.2L2 10.8V5.2zM5.5 8h5" />,
  minus: <path d="M3 8h10" />,
  whole: <path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" />,
  book: (
    <path d="M8 4C6.5 2.8 4.5 2.5 2 2.5v10c2.5 0 4.5.3 6 1.5 1.5-1.2 3.5-1.5 6-1.5v-10c-2.5 0-4.5.3-6 1.5zM8 4v10" />
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

/** Always used beside a text with the same meaning, so screen readers skip it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: 'none' }}
    >
      {shapes[name]}
    </svg>
  );
}

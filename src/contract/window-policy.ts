/**
 * What a window may load and do, as headers: one text for both shells, so that neither is laxer than the other.
 * Nothing from anywhere but the program itself, no inline script or style element, no eval, no frame.
 */
const directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'worker-src': "'self'",
  'style-src': "'self'",
  // Positions and progress bars are set as style attributes by Svelte and its libraries; style elements stay closed.
  'style-src-attr': "'unsafe-inline'",
  'img-src': "'self' blob: data:",
  'media-src': "'self' blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  // Svelte's templates, DOMPurify's output, and our own policy for worker addresses (renderer/lockdown.ts).
  'trusted-types': 'svelte-trusted-html dompurify default',
} as const;

export const contentSecurityPolicy = Object.entries(directives)
  .map(([name, value]) => `${name} ${value}`)
  .join('; ');

/** Sent with every answer of either shell. The camera is the one device the capture form asks for. */
export const windowHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), display-capture=()',
} as const satisfies Readonly<Record<string, string>>;

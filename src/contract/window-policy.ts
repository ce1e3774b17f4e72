/**
 * Response headers that limit what a window may load and do. Both shells share them, so neither is laxer. They allow no other
 * origin, no inline script or style element, no eval and no frame.
 */
const directives = {
  'default-src': "'none'",
  'script-src': "'self'",
  'worker-src': "'self'",
  'style-src': "'self'",
  // Svelte and its libraries set positions and progress bars as style attributes; style elements stay forbidden.
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
  // Svelte's templates, DOMPurify's output, and the app's policy for worker addresses (renderer/lockdown.ts).
  'trusted-types': 'svelte-trusted-html dompurify default',
} as const;

export const contentSecurityPolicy = Object.entries(directives)
  .map(([name, value]) => `${name} ${value}`)
  .join('; ');

/** Sent with every response of either shell. The camera is the only device the capture form uses. */
export const windowHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), display-capture=()',
} as const satisfies Readonly<Record<string, string>>;

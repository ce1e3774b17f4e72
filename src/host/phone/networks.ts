/** Lists this laptop's networks where a phone may be: private IPv4 addresses, the likeliest first. */
import { networkInterfaces } from 'node:os';
import type { PhoneNetwork } from '../../contract/phone/phone.ts';

/**
 * Comma-separated addresses that replace the detected ones: for a site router with other addresses, or a test on loopback.
 * `off` disables photos from a phone.
 */
export const ADDRESS_VARIABLE = 'SPOTTER_PHONE_ADDRESS';

const PRIVATE = /^(?:10\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.)/;
/** Interfaces of virtual machines, containers and tunnels, where no phone can be. */
const VIRTUAL =
  /docker|^br-|veth|virbr|vmnet|vmware|vbox|virtualbox|hyper-v|vethernet|wsl|tailscale|^zt|zerotier|^(?:u?tun|tap|wg|ppp)\d|loopback/i;
const WIRELESS =
  /^(?:wl|ap\d|swlan)|wi-?fi|wlan|wireless|airport|^local area connection\* |^bridge100$/i;

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;

/** Addresses of this laptop's hotspot (Windows, macOS, NetworkManager). A phone that joined it is there. */
const HOTSPOTS = ['192.168.137.1', '192.168.2.1', '10.42.0.1'];

const rank = ({ name, address }: PhoneNetwork): number => {
  if (HOTSPOTS.includes(address)) return 0;
  // macOS names its Wi-Fi `en0`.
  return WIRELESS.test(name) || name === 'en0' ? 1 : 2;
};

type Interfaces = ReturnType<typeof networkInterfaces>;

export const phoneNetworks = (
  env: Readonly<Record<string, string | undefined>>,
  interfaces: () => Interfaces = networkInterfaces,
): readonly PhoneNetwork[] => {
  const named = env[ADDRESS_VARIABLE];
  if (named === 'off') return [];
  const addresses = named?.split(',').filter((one) => IPV4.test(one)) ?? [];
  if (addresses.length > 0) return addresses.map((address) => ({ name: address, address }));
  return Object.entries(interfaces())
    .flatMap(([name, all = []]) =>
      all
        .filter(
          ({ family, internal, address }) =>
            family === 'IPv4' && !internal && PRIVATE.test(address),
        )
        .map(({ address }) => ({ name, address })),
    )
    .filter(({ name }) => !VIRTUAL.test(name))
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, 50);
};

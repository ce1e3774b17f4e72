/** Networks offered for a phone: private ones that a phone can reach, hotspot and Wi-Fi first. */
import type { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { ADDRESS_VARIABLE, phoneNetworks } from '../../src/host/phone/networks.ts';

type Interfaces = ReturnType<typeof networkInterfaces>;
const at = (address: string, internal = false): NonNullable<Interfaces[string]> => [
  { address, family: 'IPv4', internal, netmask: '', mac: '', cidr: null },
];
const of = (interfaces: Interfaces) => phoneNetworks({}, () => interfaces).map(({ name }) => name);

it('Linux: Wi-Fi before the cable; no container, tunnel, loopback or public address', () => {
  const seen = of({
    lo: at('127.0.0.1', true),
    docker0: at('172.17.0.1'),
    'br-5f': at('172.18.0.1'),
    tun0: at('10.8.0.2'),
    enp3s0: at('10.0.0.5'),
    wlp2s0: at('192.168.1.7'),
    wwan0: at('100.70.1.2'),
    eth1: at('8.8.8.8'),
  });
  expect(seen).toEqual(['wlp2s0', 'enp3s0']);
});

it('Windows: its own hotspot first, then Wi-Fi, then the cable; no switch of virtual machines', () => {
  const seen = of({
    Ethernet: at('192.168.0.10'),
    'vEthernet (WSL)': at('172.28.0.1'),
    'Wi-Fi': at('192.168.0.11'),
    'Local Area Connection* 2': at('192.168.137.1'),
  });
  expect(seen).toEqual(['Local Area Connection* 2', 'Wi-Fi', 'Ethernet']);
});

it('macOS: en0 before en7; a phone’s own hotspot counts as Wi-Fi', () => {
  expect(of({ en7: at('10.1.1.4'), utun3: at('10.9.0.3'), en0: at('172.20.10.2') })).toEqual([
    'en0',
    'en7',
  ]);
});

it('an address named in the environment is offered alone, where it is one', () => {
  const named = (value: string) =>
    phoneNetworks({ [ADDRESS_VARIABLE]: value }, () => ({ en0: at('10.0.0.2') }));
  expect(named('100.64.3.9')).toEqual([{ name: '100.64.3.9', address: '100.64.3.9' }]);
  expect(named('10.1.1.1,no,10.1.1.2').map(({ address }) => address)).toEqual([
    '10.1.1.1',
    '10.1.1.2',
  ]);
  expect(named('off')).toEqual([]);
  expect(named('100.64.3.999').map(({ name }) => name)).toEqual(['en0']);
});

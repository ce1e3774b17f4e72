/** The window's entry: locks down first, then mounts the app. */
import './lockdown.ts';
import { mount } from 'svelte';
import App from './App.svelte';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no #app');
mount(App, { target });

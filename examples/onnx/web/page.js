// Draw, predict, show.
import * as ort from './ort/ort.wasm.min.mjs';
import { showPixels, toPixels } from './picture.js';

const find = (id) => document.getElementById(id);
const pad = find('pad');
const pen = pad.getContext('2d', { willReadFrequently: true });
const percent = (p) => `${(100 * p).toFixed(p < 0.0995 ? 1 : 0)}\u00a0%`;
let session = null, samples = null, nextSample = 0;

// One row for each class: a bar for the mean, a whisker for the draws.
const rows = Array.from({ length: 10 }, (_, digit) => {
  const row = document.createElement('div');
  row.className = 'class';
  row.innerHTML = `<span class="name">${digit}</span><span class="track">` +
    '<span class="fill"></span><span class="range" hidden></span></span>' +
    '<span class="value"></span>';
  find('bars').append(row);
  return row;
});

// Bounds between which 90 % of the draws of one class lie.
function interval(members, draws, digit) {
  const p = [];
  for (let s = 0; s < draws; ++s) p.push(members[10 * s + digit]);
  p.sort((a, b) => a - b);
  return [p[Math.floor(0.05 * (draws - 1))], p[Math.ceil(0.95 * (draws - 1))]];
}

function showClass(digit, mean, [low, high], best) {
  const row = rows[digit];
  row.classList.toggle('best', best);
  row.querySelector('.fill').style.width = `${100 * mean}%`;
  const range = row.querySelector('.range');
  range.style.left = `${100 * low}%`;
  range.style.width = `${100 * (high - low)}%`;
  range.hidden = high - low < 0.01;
  row.querySelector('.value').textContent = percent(mean);
}

function verdict(entropy, epistemic) {
  if (entropy < 0.35) return 'It is sure.';
  return epistemic > 0.35 * entropy ?
    'It is unsure, in good part because it has seen little like this.' :
    'It is unsure: the picture itself is ambiguous.';
}

function showUncertainty(entropy, epistemic) {
  const full = Math.log(10), aleatoric = entropy - epistemic;
  find('epistemic').style.width = `${100 * epistemic / full}%`;
  find('aleatoric').style.width = `${100 * aleatoric / full}%`;
  find('split-text').innerHTML =
    `<span class="dot epistemic">epistemic ${epistemic.toFixed(2)}</span> ` +
    `(more data would help) + <span class="dot">aleatoric ` +
    `${aleatoric.toFixed(2)}</span> (it would not) = ${entropy.toFixed(2)} ` +
    `of at most ${full.toFixed(2)} nats`;
}

async function predict(pixels) {
  showPixels(find('seen'), pixels);
  const x = new ort.Tensor('float32', pixels, [1, 64]);
  const results = await session.run({ x });
  const mean = Array.from(results.mean.data);
  const members = results.members.data, draws = results.members.dims[0];
  const best = mean.indexOf(Math.max(...mean));
  const bounds = mean.map((_, digit) => interval(members, draws, digit));
  mean.forEach((p, digit) =>
    showClass(digit, p, bounds[digit], digit === best));

  const entropy = results.entropy.data[0];
  const epistemic = results.mutual_information.data[0];
  find('answer').innerHTML = `<strong>${best}</strong>, with ` +
    `${percent(mean[best])} (90 % of the draws: ${percent(bounds[best][0])} ` +
    `to ${percent(bounds[best][1])}).<br>${verdict(entropy, epistemic)}`;
  find('draws').textContent = draws;
  showUncertainty(entropy, epistemic);
  document.body.dataset.result =
    JSON.stringify({ mean, best, entropy, epistemic });
}

function clear() {
  pen.clearRect(0, 0, pad.width, pad.height);
  showPixels(find('seen'), new Float32Array(64));
  for (const row of rows) {
    row.classList.remove('best');
    row.querySelector('.fill').style.width = '0';
    row.querySelector('.range').hidden = true;
    row.querySelector('.value').textContent = '';
  }
  find('epistemic').style.width = find('aleatoric').style.width = '0';
  find('split-text').textContent = '';
  find('answer').textContent = 'Draw a digit, as large as you like.';
}

function predictDrawing() {
  const rgba = pen.getImageData(0, 0, pad.width, pad.height).data;
  const alpha = new Uint8Array(pad.width * pad.height);
  for (let i = 0; i < alpha.length; ++i) alpha[i] = rgba[4 * i + 3];
  if (alpha.some((a) => a >= 128)) return predict(toPixels(alpha, pad.width));
}

// A picture of the test data, as it is.
function showSample() {
  const pixels = Float32Array.from(
    samples.pixels.slice(64 * nextSample, 64 * nextSample + 64));
  nextSample = (nextSample + 1) % 20;
  clear();
  pen.imageSmoothingEnabled = false;
  for (let i = 0; i < 64; ++i) {
    pen.fillStyle = `rgba(29, 39, 51, ${pixels[i] / 16})`;
    pen.fillRect((i % 8) * 40, Math.floor(i / 8) * 40, 40, 40);
  }
  return predict(pixels);
}

function listen() {
  let drawing = false;
  const at = (event) => {
    const box = pad.getBoundingClientRect();
    return [(event.clientX - box.left) * pad.width / box.width,
      (event.clientY - box.top) * pad.height / box.height];
  };
  pad.addEventListener('pointerdown', (event) => {
    drawing = true;
    pad.setPointerCapture(event.pointerId);
    Object.assign(pen, { lineWidth: 40, lineCap: 'round', lineJoin: 'round',
      strokeStyle: '#1d2733' });
    pen.beginPath();
    pen.moveTo(...at(event));
    pen.lineTo(...at(event));
    pen.stroke();
  });
  pad.addEventListener('pointermove', (event) => {
    if (!drawing) return;
    pen.lineTo(...at(event));
    pen.stroke();
  });
  for (const end of ['pointerup', 'pointercancel'])
    pad.addEventListener(end, () => {
      if (drawing) predictDrawing();
      drawing = false;
    });
  find('clear').addEventListener('click', clear);
  find('sample').addEventListener('click', showSample);
}

try {
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = new URL('./ort/', import.meta.url).href;
  samples = await (await fetch('digits.json')).json();
  session = await ort.InferenceSession.create('digits.onnx');
  listen();
  clear();
  document.body.dataset.ready = 'true';
} catch (error) {
  find('answer').textContent =
    `The model could not be loaded: ${error.message}`;
}

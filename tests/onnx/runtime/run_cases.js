// Runs the models of write_cases.cpp in onnxruntime and compares its answers
// with the library's.
//
//   node run_cases.js <folder> <folder that holds node_modules>
//
// Ends with 77 where onnxruntime-node is not installed.
'use strict';
const fs = require('fs');
const path = require('path');

const [folder, modules] = process.argv.slice(2);
let ort;
try {
  ort = require(path.join(modules, 'node_modules', 'onnxruntime-node'));
} catch (error) {
  console.log('SKIPPED: onnx_runtime: onnxruntime-node is not installed');
  process.exit(77);
}

const arrays = { float32: Float32Array, float64: Float64Array };

function tensor(type, matrix) {
  return new ort.Tensor(type, arrays[type].from(matrix.data), matrix.dims);
}

// Largest difference, relative to the largest number expected.
function difference(actual, expected) {
  if (actual.length !== expected.length) return Infinity;
  let worst = 0, scale = 0;
  for (let i = 0; i < actual.length; ++i) {
    const d = Math.abs(actual[i] - expected[i]);
    worst = Number.isNaN(d) ? Infinity : Math.max(worst, d);
    scale = Math.max(scale, Math.abs(expected[i]));
  }
  return worst / scale;
}

// Largest difference of two means over draws, in standard errors.
function standardErrors(actual, expected, test) {
  let worst = 0;
  for (let i = 0; i < expected.length; ++i) {
    const error = Math.sqrt(test.variance.data[i] *
      (1 / test.draws + 1 / test.libraryDraws));
    worst = Math.max(worst, Math.abs(actual[i] - expected[i]) / error);
  }
  return worst;
}

async function run(test) {
  const session = await ort.InferenceSession.create(
    path.join(folder, test.name + '.onnx'), { logSeverityLevel: 3 });
  const feeds = {};
  for (const name of Object.keys(test.inputs))
    feeds[name] = tensor(test.type, test.inputs[name]);
  if (test.draws > 0)
    feeds.samples = new ort.Tensor('int64', [BigInt(test.draws)], [1]);
  const results = await session.run(feeds);

  let good = true;
  for (const name of Object.keys(test.expected)) {
    const actual = results[name].data, expected = test.expected[name].data;
    const sampled = test.draws > 0;
    const off = sampled ? standardErrors(actual, expected, test) :
      difference(actual, expected);
    const passed = off <= (sampled ? 4 : test.tolerance);
    good = good && passed;
    console.log(`${passed ? 'ok  ' : 'FAIL'} ${test.name} ${name}: ` +
      `${off.toPrecision(3)}${sampled ? ' standard errors' : ''}`);
  }
  return good;
}

(async () => {
  const tests = JSON.parse(fs.readFileSync(path.join(folder, 'cases.json')));
  let failed = 0;
  for (const test of tests)
    failed += (await run(test)) ? 0 : 1;
  console.log(`${tests.length} models, ${failed} failed`);
  process.exit(failed === 0 && tests.length > 0 ? 0 : 1);
})();

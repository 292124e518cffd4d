// Runs the exported posterior:  node predict.js [FOLDER [NODE_MODULES]]
'use strict';
const fs = require('fs');
const [folder = '.', modules = 'node_modules'] = process.argv.slice(2);
const file = require('path').resolve(modules, 'onnxruntime-node');
if (!fs.existsSync(file)) {
  console.log('SKIPPED: onnx_node: onnxruntime-node is not installed');
  process.exit(77);
}
const ort = require(file);

(async () => {
  const digits = JSON.parse(fs.readFileSync(`${folder}/digits.json`));
  const session = await ort.InferenceSession.create(`${folder}/digits.onnx`);
  const x = new ort.Tensor('float32', digits.pixels, [20, 64]);
  const { mean, mutual_information: epistemic } = await session.run({ x });
  let worst = 0;
  for (let i = 0; i < 20; ++i) {
    const p = Array.from(mean.data.slice(10 * i, 10 * i + 10));
    const best = p.indexOf(Math.max(...p));
    console.log(`a ${digits.labels[i]}: ${best} with ${p[best].toFixed(3)}, ` +
      `epistemic ${epistemic.data[i].toFixed(3)} nats`);
    p.forEach((v, c) => { worst = Math.max(worst,
      Math.abs(v - digits.probabilities[10 * i + c])); });
  }
  console.log(`largest difference from the library: ${worst.toExponential(1)}`);
  process.exit(worst < 1e-5 ? 0 : 1);
})();

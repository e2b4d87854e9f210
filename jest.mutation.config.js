module.exports = require('./test/suites.js').mutation;
